"""What players may do beside their orders (sections N and P): legend cards, intrigue, equipment used once, rerolls."""
