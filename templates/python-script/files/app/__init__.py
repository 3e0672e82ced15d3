"""{{project_name}}: {{description}}"""

NAME = "{{project_name}}"
DESCRIPTION = "{{description}}"
__version__ = "0.1.0"
