"""The last stage of the Dockerfile, made and run without a container engine."""
