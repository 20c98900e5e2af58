variable "location" {
  description = "Id of the location. The names of AWS's regions are known to the gateway."
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

variable "architecture" {
  description = "Processor of the machines, as of the artifact: x64 or arm64; instance_type goes with it."
  type        = string
  default     = "x64"
}

variable "instance_type" {
  description = "Type of the machines. An agent wants a gigabyte; what runs from a commit two, for npm. Types that save up CPU time (t3) measure worse once it is spent."
  type        = string
  default     = "t3.micro"
}

variable "kms_key_arn" {
  description = "ARN of a KMS key of yours in this region for the disks and the secret. Null: AWS's own."
  type        = string
  default     = null

  validation {
    condition     = var.kms_key_arn == null || can(regex("^arn:[a-z-]+:kms:", var.kms_key_arn))
    error_message = "The key is the ARN of a KMS key."
  }
}

variable "tags" {
  description = "Tags for everything that is made."
  type        = map(string)
  default     = {}
}
