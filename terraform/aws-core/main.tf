terraform {
  # Ephemeral values: the database's password is in the secret store and nowhere else.
  required_version = ">= 1.11"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.98, < 7.0"
    }
  }
}

data "aws_region" "current" {}

data "aws_availability_zones" "usable" {
  state = "available"

  filter {
    name   = "opt-in-status"
    values = ["opt-in-not-required"]
  }
}

# Debian's own images: https://wiki.debian.org/Cloud/AmazonEC2Image
data "aws_ami" "debian" {
  owners      = ["136693071363"]
  most_recent = true

  filter {
    name   = "name"
    values = ["debian-12-amd64-*"]
  }
}

locals {
  region = data.aws_region.current.id
  zones  = slice(sort(data.aws_availability_zones.usable.names), 0, 3)
  tags   = merge(var.tags, { "vedette:core" = var.name })

  machines = { for name, machine in var.machines : name => merge(machine, { role = split("-", name)[0], zone = (tonumber(split("-", name)[1]) - 1) % 3 }) }
  gateways = { for name, machine in local.machines : name => machine if machine.role == "gateway" }
  servers  = { for number in range(var.bus.servers) : tostring(number + 1) => number }
  # The order is the same for everybody: a client that connects takes one at random.
  nats_url = join(",", [for number, _ in local.servers : "tls://nats-${number}.${var.bus.host}:4222"])
}
