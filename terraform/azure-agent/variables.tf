variable "location" {
  description = "Id of the location. The names of Azure's regions are known to the gateway."
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

variable "region" {
  description = "Region of Azure, such as germanywestcentral."
  type        = string

  validation {
    condition     = can(regex("^[a-z0-9]+$", var.region))
    error_message = "A region is one such as germanywestcentral, without spaces."
  }
}

variable "key_vault" {
  description = "The vault that has the key, its id and its URI; it grants access by roles (RBAC). Azure has no secrets without a value, so that the key is in it before."
  type        = object({ id = string, uri = string })

  validation {
    condition     = can(regex("^https://[a-z0-9.-]+/?$", var.key_vault.uri))
    error_message = "The URI of a vault is https://<name>.vault.azure.net/."
  }
}

variable "secret_name" {
  description = "Name of the secret there with the location's nkey seed."
  type        = string

  validation {
    condition     = can(regex("^[0-9A-Za-z-]{1,127}$", var.secret_name))
    error_message = "Names of secrets there have letters, digits and - only."
  }
}

variable "admin_public_key" {
  description = "SSH public key for the user that Azure wants every machine to have. Nothing reaches the machine's port 22, and nothing listens there."
  type        = string
}

variable "vm_size" {
  description = "Size of the machines. An agent wants a gigabyte; what runs from a commit two, for npm."
  type        = string
  default     = "Standard_B1s"
}

variable "encryption_at_host" {
  description = "Whether the host encrypts disks and caches, too: the subscription must have the feature EncryptionAtHost. The disks themselves always are encrypted."
  type        = bool
  default     = false
}

variable "tags" {
  description = "Tags for everything that is made."
  type        = map(string)
  default     = {}
}
