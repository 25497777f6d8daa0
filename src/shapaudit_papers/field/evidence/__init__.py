"""Evidence on the recurring claims."""
