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

variable "credentials_command" {
  description = "Shell command that prints the location's nkey seed, run as root on the machine: it asks the cloud's secret store as the machine that it is. Not the seed itself: user data and state are no place for it."
  type        = string

  validation {
    condition     = !can(regex("\\bSU[A-Z2-7]{56}\\b", var.credentials_command))
    error_message = "The command holds an nkey seed. Put the seed into the secret store, and a command here that fetches it."
  }
}

variable "repository" {
  description = "Where to clone Vedette from, https."
  type        = string

  validation {
    condition     = can(regex("^https://[^\\s'\"]+$", var.repository))
    error_message = "The repository is an https URL."
  }
}

variable "commit" {
  description = "The commit to run, its full hash: `git rev-parse v1.2.3^{commit}`. A branch or a tag may be moved to other code."
  type        = string

  validation {
    condition     = can(regex("^([0-9a-f]{40}|[0-9a-f]{64})$", var.commit))
    error_message = "The commit is a full hash, neither a branch nor a tag."
  }
}

variable "settings" {
  description = "Further settings of the agent, by name (docs/settings.md). They are user data: no secrets."
  type        = map(string)
  default     = {}
}
