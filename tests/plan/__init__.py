"""Rollouts: the plan held against what servers did, its parts, its command."""
