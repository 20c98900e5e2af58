variable "location" {
  description = "Id of the location where the machine stands."
  type        = string

  validation {
    condition     = can(regex("^[A-Za-z0-9_-]{1,64}$", var.location))
    error_message = "A location id has letters, digits, - and _ only."
  }
}

variable "nats_url" {
  description = "The bus, tls:// off the machine."
  type        = string
}

variable "nkey" {
  description = "Text of the location's nkey file."
  type        = string
  sensitive   = true
}

variable "repository" {
  description = "Where to clone Vedette from, https."
  type        = string

  validation {
    condition     = can(regex("^https://[^\\s'\"]+$", var.repository))
    error_message = "The repository is an https URL."
  }
}

variable "ref" {
  description = "Tag or commit to run."
  type        = string
  default     = "main"

  validation {
    condition     = can(regex("^[A-Za-z0-9._/-]+$", var.ref))
    error_message = "The ref is a tag, a branch or a commit."
  }
}

variable "settings" {
  description = "Further settings of the agent, by name (docs/settings.md)."
  type        = map(string)
  default     = {}
}
