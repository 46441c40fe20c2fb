"""Process lifetime: who may write, and for how long. Threads, no asyncio."""
