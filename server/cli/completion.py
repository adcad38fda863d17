"""`herald completion`: the script by which a shell completes Herald's commands and options."""

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    bash:  herald completion bash >> ~/.bashrc
    zsh:   herald completion zsh >> ~/.zshrc
    fish:  herald completion fish > ~/.config/fish/completions/herald.fish
    """
    found = get_completion_class(shell)
    assert found is not None, "click knows these shells"
    # The class's `source` asks the installed bash for its version first; the script itself does not need the version.
    made = found(context.find_root().command, {}, "herald", "_HERALD_COMPLETE")
    click.echo(made.source_template % made.source_vars())


COMMANDS = (completion,)
