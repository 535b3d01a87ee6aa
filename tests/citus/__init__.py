"""What Postgres distributed by Citus would refuse of ours, found without a Citus."""
