"""Locks itself again, by another policy, to get rights back."""
import honest
from attempts import attempt, once
from ours import module


def attack():
    policy = module("worker.policy")
    attempt("lock_down", lambda: policy.lock_down(policy.Policy(readable=("/",), memory=None)))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
