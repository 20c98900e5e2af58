variable "location" {
  description = "Id of the location. Its place is known to the gateway for ids such as eu-nue, eu-hel, us-ash and sg-sin."
  type        = string

  validation {
    condition     = can(regex("^[A-Za-z0-9_-]{1,36}$", var.location))
    error_message = "A location id has letters, digits, - and _ only, 36 of them at most for the names of what is made here."
  }
}

variable "nats_url" {
  description = "The bus: tls://host:port, or several with commas between them."
  type        = string
}

variable "bus_ca" {
  description = "PEM of the CA that the bus's certificate comes from, where that is your own."
  type        = string
  default     = null
}

variable "artifact" {
  description = "The bundled agent that runs: https URL of the tar.gz, and its SHA-256 (../README.md). Null: repository and commit say what runs."
  type        = object({ url = string, sha256 = string })
  default     = null
}

variable "node" {
  description = "Where the Node beside an artifact comes from, https, with its integrity (sha512-…). Null: npm's registry, as the lock file pins it."
  type        = object({ url = string, integrity = string })
  default     = null
}

variable "repository" {
  description = "Where to clone Vedette from, https, where no artifact is named."
  type        = string
  default     = null
}

variable "commit" {
  description = "The commit to run, its full hash, where no artifact is named."
  type        = string
  default     = null
}

variable "settings" {
  description = "Further settings of the agents, by name (docs/settings.md). They are user data: no secrets."
  type        = map(string)
  default     = {}
}

variable "instances" {
  description = "How many machines share the location's jobs and stand in for each other."
  type        = number
  default     = 1

  validation {
    condition     = var.instances >= 0 && var.instances <= 16 && floor(var.instances) == var.instances
    error_message = "A location has 0 to 16 machines."
  }
}

variable "credentials_command" {
  description = "Shell command that prints the location's nkey seed on the machine. This cloud has neither a secret store nor identities of machines: ../README.md has two ways."
  type        = string
}

variable "keep_key" {
  description = "Whether the key stays on the machine's disk: true where the command can fetch it only once. The disk is not encrypted."
  type        = bool
  default     = false
}

variable "packages" {
  description = "Debian packages that credentials_command needs."
  type        = list(string)
  default     = []
}

variable "ssh_keys" {
  description = "SSH keys known to the cloud, by id or name. Without one it mails a root password, for its console. Nothing reaches the machine's port 22, and nothing listens there."
  type        = list(string)
  default     = []
}

variable "hetzner_location" {
  description = "Where Hetzner has the machine: fsn1, nbg1, hel1, ash, hil or sin."
  type        = string

  validation {
    condition     = can(regex("^[a-z]{3}[0-9]?$", var.hetzner_location))
    error_message = "Hetzner's locations have names such as fsn1, nbg1, hel1, ash, hil and sin."
  }
}

variable "architecture" {
  description = "Processor of the machines, as of the artifact: x64, or arm64 (types cax…)."
  type        = string
  default     = "x64"
}

variable "server_type" {
  description = "Type of the machines; not every location has every type."
  type        = string
  default     = "cx23"
}

variable "labels" {
  description = "Labels for everything that is made."
  type        = map(string)
  default     = {}
}
