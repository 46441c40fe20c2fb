"""What a language model is asked, if the settings name one."""
