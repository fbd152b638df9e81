import game_agent

assert game_agent.answer == 42
