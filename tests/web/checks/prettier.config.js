export default { printWidth: 120, useTabs: true, arrowParens: "avoid" };
