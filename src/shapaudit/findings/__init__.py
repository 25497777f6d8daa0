"""What a finished study says: experiments, benchmarks and replications, read for the report."""
