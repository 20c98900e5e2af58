variable "location" {
  description = "Id of the location where the machine stands."
  type        = string

  validation {
    condition     = can(regex("^[A-Za-z0-9_-]{1,64}$", var.location))
    error_message = "A location id has letters, digits, - and _ only."
  }
}

variable "nats_url" {
  description = "The bus: tls://host:port, or several with commas between them."
  type        = string

  validation {
    condition     = can(regex("^tls://([A-Za-z0-9.-]+|\\[[0-9a-f:]+\\])(:[0-9]{1,5})?(,tls://([A-Za-z0-9.-]+|\\[[0-9a-f:]+\\])(:[0-9]{1,5})?)*$", var.nats_url))
    error_message = "Between machines the bus is tls://host:port; several have commas between them, and no spaces."
  }
}

variable "bus_ca" {
  description = "PEM of the CA that the bus's certificate must come from, where that is your own; null: one that Node trusts."
  type        = string
  default     = null

  validation {
    condition     = var.bus_ca == null || can(regex("^-----BEGIN CERTIFICATE-----", var.bus_ca))
    error_message = "The CA is PEM, and begins with -----BEGIN CERTIFICATE-----."
  }
  validation {
    condition     = var.bus_ca == null || !can(regex("PRIVATE KEY", var.bus_ca))
    error_message = "That holds a private key: only the certificate of the CA belongs here."
  }
}

variable "credentials_command" {
  description = "Shell command that prints the location's nkey seed, run as root on the machine: it asks the cloud's secret store as the machine that it is. Not the seed itself: user data and state are no place for it."
  type        = string

  validation {
    condition     = !can(regex("\\bSU[A-Z2-7]{56}\\b", var.credentials_command))
    error_message = "The command holds an nkey seed. Put the seed into the secret store, and a command here that fetches it."
  }
}

variable "keep_key" {
  description = "Whether the key stays on the disk, 0600, for the next start of the machine: where the command can fetch it only once. Else it is in memory only."
  type        = bool
  default     = false
}

variable "packages" {
  description = "Debian packages that credentials_command needs."
  type        = list(string)
  default     = []

  validation {
    condition     = alltrue([for name in var.packages : can(regex("^[a-z0-9][a-z0-9.+-]+$", name))])
    error_message = "These are no names of Debian packages."
  }
}

variable "artifact" {
  description = "The bundled agent that runs: a tar.gz of the folder that `npm run build:agent` writes (terraform/README.md), and its hash. Null: repository and commit say what runs."
  type        = object({ url = string, sha256 = string })
  default     = null

  validation {
    condition     = var.artifact == null || can(regex("^https://[^\\s'\"\\\\]+$", var.artifact.url))
    error_message = "The artifact is an https URL."
  }
  validation {
    condition     = var.artifact == null || can(regex("^[0-9a-f]{64}$", var.artifact.sha256))
    error_message = "The hash of the artifact is 64 hexadecimal digits: sha256sum <file>."
  }
  validation {
    condition     = (var.artifact == null) == (var.commit != null) && (var.artifact == null) == (var.repository != null)
    error_message = "Name what runs: either an artifact, or a repository and a commit."
  }
}

variable "architecture" {
  description = "Processor of the machine, for the Node beside an artifact: x64 or arm64. The artifact was built on the same."
  type        = string
  default     = "x64"

  validation {
    condition     = contains(["x64", "arm64"], var.architecture)
    error_message = "The architecture is x64 or arm64."
  }
}

variable "node" {
  description = "Where the machine gets the Node beside an artifact, a tar.gz with bin/node one folder down, and its integrity as npm writes it (sha512-…). Null: from npm's registry what this checkout's lock file pins."
  type        = object({ url = string, integrity = string })
  default     = null

  validation {
    condition     = var.node == null || can(regex("^https://[^\\s'\"\\\\]+$", var.node.url))
    error_message = "Node comes from an https URL."
  }
  validation {
    condition     = var.node == null || can(regex("^sha512-[A-Za-z0-9+/]{86}==$", var.node.integrity))
    error_message = "The integrity of Node is sha512- and 88 characters of base64."
  }
}

variable "repository" {
  description = "Where to clone Vedette from, https, where no artifact is named."
  type        = string
  default     = null

  validation {
    condition     = var.repository == null || can(regex("^https://[^\\s'\"]+$", var.repository))
    error_message = "The repository is an https URL."
  }
}

variable "commit" {
  description = "The commit to run, its full hash: `git rev-parse v1.2.3^{commit}`. A branch or a tag may be moved to other code."
  type        = string
  default     = null

  validation {
    condition     = var.commit == null || can(regex("^([0-9a-f]{40}|[0-9a-f]{64})$", var.commit))
    error_message = "The commit is a full hash, neither a branch nor a tag."
  }
}

variable "settings" {
  description = "Further settings of the agent, by name (docs/settings.md). They are user data: no secrets."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for name, _ in var.settings : can(regex("^VEDETTE_[A-Z0-9_]+$", name)) && !contains(["VEDETTE_LOCATION", "VEDETTE_NATS_URL", "VEDETTE_NATS_CREDS", "VEDETTE_NATS_CA_FILE"], name)])
    error_message = "Settings begin with VEDETTE_; location, bus, CA and key have variables of their own."
  }
  validation {
    condition     = alltrue([for _, value in var.settings : can(regex("^[^\"'\\\\\\n\\r]*$", value))])
    error_message = "A value is one line, without quotes and backslashes: systemd reads it."
  }
}

variable "forbidden_addresses" {
  description = "CIDRs that the kernel keeps the agent's process from, whatever it is asked to measure: the cloud's metadata service, whose answers are worth stealing. The agent refuses them by itself; this is the second wall."
  type        = list(string)
  default     = ["169.254.169.254/32", "fd00:ec2::254/128"]

  validation {
    condition     = alltrue([for cidr in var.forbidden_addresses : can(cidrhost(cidr, 0))])
    error_message = "These are no CIDRs."
  }
}
