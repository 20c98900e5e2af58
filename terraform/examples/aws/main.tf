# Agents in one region of AWS. ./regions.sh runs this for every region of regions.txt, each with a state of its own: a region that is down holds up no
# other one, and one that is taken off the list can still be destroyed, which one state with a provider for each region could not.

terraform {
  required_version = ">= 1.9"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.80, < 7.0"
    }
  }
}

provider "aws" {
  region = var.region
}

variable "region" {
  description = "The region, and the location's id: ./regions.sh sets it."
  type        = string

  validation {
    condition     = can(regex("^[a-z]{2}(-[a-z]+)+-[0-9]$", var.region))
    error_message = "A region is one such as eu-central-1."
  }
  validation {
    condition     = contains(["default", var.region], terraform.workspace)
    error_message = "This is the state of another region: use ./regions.sh, or terraform workspace select."
  }
}

variable "nats_url" {
  description = "The bus: tls://host:port, or several with commas between them."
  type        = string
}

variable "bus_ca_file" {
  description = "File with the CA of the bus's certificate (PEM), where that is your own."
  type        = string
  default     = null
}

variable "artifact" {
  description = "The bundled agent: https URL of the tar.gz, and its SHA-256."
  type        = object({ url = string, sha256 = string })
}

variable "instances" {
  description = "How many machines a region has."
  type        = number
  default     = 2
}

variable "settings" {
  description = "Further settings of the agents (docs/settings.md)."
  type        = map(string)
  default     = {}
}

module "agent" {
  source    = "../../aws-agent"
  location  = var.region
  nats_url  = var.nats_url
  bus_ca    = var.bus_ca_file == null ? null : file(var.bus_ca_file)
  artifact  = var.artifact
  instances = var.instances
  settings  = var.settings
}

output "secret_name" {
  description = "Where the region's nkey seed belongs, in Secrets Manager there."
  value       = module.agent.secret_name
}

output "addresses" {
  description = "What the machines measure from."
  value       = concat(values(module.agent.ipv4_addresses), values(module.agent.ipv6_addresses))
}
