# Gateways, a renderer, the bus and PostgreSQL in one region.

terraform {
  required_version = ">= 1.11"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.98, < 7.0"
    }
  }
}

provider "aws" {
  region = "eu-central-1"
}

module "database_password" {
  source      = "../../aws-password"
  name        = "vedette/database"
  description = "Password of Vedette's database"
}

module "operator_token" {
  source      = "../../aws-password"
  name        = "vedette/operator"
  description = "Admin token of Vedette's gateways"
}

module "core" {
  source     = "../../aws-core"
  repository = "https://git.example.org/vedette.git"
  machines = {
    gateway-1  = { commit = "0000000000000000000000000000000000000000" } # git rev-parse v1.2.3^{commit}
    gateway-2  = { commit = "0000000000000000000000000000000000000000" }
    renderer-1 = { commit = "0000000000000000000000000000000000000000", instance_type = "m7i.large" }
  }

  bus = {
    host = "bus.example.org"
    # ca = file("bus-ca.pem"), where the certificates of its servers come from a CA of yours
    nats_server = {
      url    = "https://github.com/nats-io/nats-server/releases/download/v2.12.12/nats-server-v2.12.12-linux-amd64.tar.gz"
      sha256 = "0000000000000000000000000000000000000000000000000000000000000000" # of SHA256SUMS beside it
    }
  }
  zone_id         = "Z0000000000000000000"
  certificate_arn = "arn:aws:acm:eu-central-1:123456789012:certificate/00000000-0000-0000-0000-000000000000"
  operators       = ["10.9.0.0/24"]

  database_password = module.database_password.password
  database_secret   = module.database_password.secret
  operator_secret   = module.operator_token.secret
  settings          = { gateway = { VEDETTE_CONTACT = "https://probes.example.org" } }
}

output "api_host" {
  description = "What the API's name is an alias of."
  value       = module.core.api_host
}

output "nats_url" {
  description = "The bus, for agents."
  value       = module.core.nats_url
}

output "secret_names" {
  description = "Where keys and configurations belong."
  value       = module.core.secret_names
}

output "operator_secret" {
  description = "The admin token."
  value       = module.operator_token.secret.name
}
