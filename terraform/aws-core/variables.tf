variable "name" {
  description = "Begins the names of everything that is made."
  type        = string
  default     = "vedette"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,19}$", var.name))
    error_message = "The name has 2 to 20 small letters, digits and -, and begins with a letter."
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

variable "machines" {
  description = "Gateways and renderers by name (gateway-1, renderer-1: the numbers spread them over zones), each with the commit that it runs (its full hash). A release goes machine by machine: change one commit, apply, see that it is healthy, change the next."
  type = map(object({
    commit        = string
    instance_type = optional(string, "c7i.large")
  }))

  validation {
    condition     = alltrue([for name, _ in var.machines : can(regex("^(gateway|renderer)-[1-9][0-9]?$", name))])
    error_message = "Machines have names such as gateway-1 and renderer-2, as their keys do."
  }
  validation {
    condition     = alltrue([for _, machine in var.machines : can(regex("^([0-9a-f]{40}|[0-9a-f]{64})$", machine.commit))])
    error_message = "The commit of a machine is a full hash, neither a branch nor a tag."
  }
  validation {
    condition     = anytrue([for name, _ in var.machines : startswith(name, "gateway-")])
    error_message = "There is no service without a gateway: name one, better two."
  }
}

variable "settings" {
  description = "Further settings of gateways and renderers, by role and name (docs/settings.md). They are user data: no secrets."
  type        = map(map(string))
  default     = {}

  validation {
    condition     = alltrue([for role, _ in var.settings : contains(["gateway", "renderer"], role)])
    error_message = "There are settings of gateway and of renderer."
  }
  validation {
    condition = alltrue(flatten([for _, settings in var.settings : [for name, _ in settings : can(regex("^VEDETTE_[A-Z0-9_]+$", name)) && !contains([
      "VEDETTE_ADMIN_TOKEN", "VEDETTE_BOOTSTRAP_KEY", "VEDETTE_DATABASE_URL", "VEDETTE_HOST", "VEDETTE_NATS_CA_FILE", "VEDETTE_NATS_CREDS", "VEDETTE_NATS_URL", "VEDETTE_OPS_HOST", "VEDETTE_OPS_PORT", "VEDETTE_PORT", "VEDETTE_TRUSTED_PROXIES"
    ], name)]]))
    error_message = "Settings begin with VEDETTE_; listeners, bus, database, proxies and secrets are set by this module."
  }
  validation {
    condition     = alltrue(flatten([for _, settings in var.settings : [for _, value in settings : can(regex("^[^\"'\\\\\\n\\r]*$", value))]]))
    error_message = "A value is one line, without quotes and backslashes: systemd reads it."
  }
}

variable "bus" {
  description = "The message bus. `host`: its servers are nats-1.<host>, nats-2.<host> …, which their certificates name. `servers`: 1 or 3. `nats_server`: an archive of https://github.com/nats-io/nats-server/releases for linux-amd64 (2.12.12 or newer) and its SHA-256. `ca`: PEM of the CA of the certificates, where that is your own."
  type = object({
    host          = string
    servers       = optional(number, 3)
    nats_server   = object({ url = string, sha256 = string })
    ca            = optional(string)
    instance_type = optional(string, "c7i.large")
    # Who may connect: agents come from everywhere.
    clients = optional(list(string), ["0.0.0.0/0", "::/0"])
    # For leaf nodes of regions, where there are some (7422).
    leaf_port = optional(number)
  })

  validation {
    condition     = contains([1, 3], var.bus.servers)
    error_message = "A bus is one server, or a cluster of three."
  }
  validation {
    condition     = can(regex("^[a-z0-9-]+(\\.[a-z0-9-]+)+$", var.bus.host))
    error_message = "The host of the bus is a domain name."
  }
  validation {
    condition     = can(regex("^https://[^\\s'\"\\\\]+\\.tar\\.gz$", var.bus.nats_server.url)) && can(regex("^[0-9a-f]{64}$", var.bus.nats_server.sha256))
    error_message = "nats-server is an https URL of a .tar.gz, and its SHA-256."
  }
  validation {
    condition     = alltrue([for cidr in var.bus.clients : can(cidrhost(cidr, 0))])
    error_message = "The clients of the bus are CIDRs."
  }
}

variable "zone_id" {
  description = "Route 53 zone that has bus.host: the servers' addresses are put there. Null: put them there yourself (output bus_addresses)."
  type        = string
  default     = null
}

variable "certificate_arn" {
  description = "ARN of the certificate (ACM, this region) of the API's name."
  type        = string

  validation {
    condition     = can(regex("^arn:[a-z-]+:acm:", var.certificate_arn))
    error_message = "The certificate is the ARN of one in ACM."
  }
}

variable "clients" {
  description = "CIDRs that may reach the API."
  type        = list(string)
  default     = ["0.0.0.0/0", "::/0"]

  validation {
    condition     = alltrue([for cidr in var.clients : can(cidrhost(cidr, 0))])
    error_message = "The clients are CIDRs."
  }
}

variable "operators" {
  description = "CIDRs inside of your networks (VPN, Prometheus) that may reach the operators' listeners, port 9464: metrics, readiness and, with the admin token, accounts. It is plain HTTP."
  type        = list(string)
  default     = []

  validation {
    condition     = alltrue([for cidr in var.operators : can(cidrhost(cidr, 0)) && !contains(["0.0.0.0/0", "::/0"], cidr)])
    error_message = "Operators are CIDRs, and not everybody."
  }
}

variable "operator_ssh_key" {
  description = "SSH public key of the user `operator` of every machine, who may become root; `operators` may then reach port 22. Null: nobody logs in anywhere, and nothing listens there."
  type        = string
  default     = null

  validation {
    condition     = var.operator_ssh_key == null || can(regex("^(ssh-ed25519|ssh-rsa|ecdsa-sha2-[a-z0-9-]+|sk-[a-z0-9@.-]+) [A-Za-z0-9+/=]+", var.operator_ssh_key))
    error_message = "That is no SSH public key."
  }
}

variable "vpc_cidr" {
  description = "IPv4 network of the VPC, a /16 to /20: choose one that your VPN does not have."
  type        = string
  default     = "10.87.0.0/20"

  validation {
    condition     = can(cidrhost(var.vpc_cidr, 0)) && can(regex("/(1[6-9]|20)$", var.vpc_cidr))
    error_message = "The network is an IPv4 CIDR of /16 to /20."
  }
}

variable "database" {
  description = "PostgreSQL on RDS. `major`: its version. `max_storage_gb`: it grows by itself up to that."
  type = object({
    instance_class = optional(string, "db.m7g.large")
    major          = optional(number, 17)
    storage_gb     = optional(number, 50)
    max_storage_gb = optional(number, 500)
    multi_az       = optional(bool, true)
    backup_days    = optional(number, 14)
  })
  default = {}

  validation {
    condition     = var.database.major >= 15 && var.database.backup_days >= 1 && var.database.backup_days <= 35
    error_message = "PostgreSQL is 15 or newer, and backups are kept for 1 to 35 days."
  }
}

variable "database_password" {
  description = "Password of the database: output `password` of ../aws-password, letters and digits only."
  type        = string
  ephemeral   = true
}

variable "database_password_version" {
  description = "A higher number gives the database the password anew: the version of ../aws-password. Gateways are restarted afterwards."
  type        = number
  default     = 1
}

variable "database_secret" {
  description = "Where gateways read the database's password: output `secret` of ../aws-password."
  type        = object({ name = string, arn = string })
}

variable "operator_secret" {
  description = "Where gateways read the admin token, VEDETTE_ADMIN_TOKEN: output `secret` of another ../aws-password."
  type        = object({ name = string, arn = string })
}

variable "deletion_protection" {
  description = "Whether database and load balancer can only be deleted after this was turned off, and the database leaves a last snapshot."
  type        = bool
  default     = true
}

variable "kms_key_arn" {
  description = "ARN of a KMS key of yours in this region for disks, database and secrets. Null: AWS's own."
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
