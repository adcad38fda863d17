"""Several servers over one database, as processes of their own, while everything goes away and comes back."""
