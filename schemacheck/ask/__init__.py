"""Questions to real servers, and their kept answers: what the model does not know, a server of the version
says.
"""
