terraform {
  required_version = ">= 1.9"
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = ">= 1.45, < 2.0"
    }
  }
}

locals {
  name = "vedette-agent-${replace(lower(var.location), "_", "-")}"
}

module "agent" {
  source              = "../agent"
  location            = var.location
  nats_url            = var.nats_url
  bus_ca              = var.bus_ca
  artifact            = var.artifact
  node                = var.node
  repository          = var.repository
  commit              = var.commit
  architecture        = var.architecture
  settings            = var.settings
  packages            = var.packages
  credentials_command = var.credentials_command
  keep_key            = var.keep_key
}

# Without a rule nothing comes in and everything goes out.
resource "hcloud_firewall" "agent" {
  name   = local.name
  labels = var.labels
}

resource "hcloud_server" "agent" {
  for_each = toset([for number in range(var.instances) : tostring(number + 1)])

  # Two machines of a project cannot have one name, and the new one comes first.
  name                     = "${local.name}-${each.key}-${module.agent.short_hash}"
  location                 = var.hetzner_location
  server_type              = var.server_type
  image                    = "debian-12"
  user_data                = module.agent.user_data
  firewall_ids             = [hcloud_firewall.agent.id]
  ssh_keys                 = var.ssh_keys
  labels                   = var.labels
  shutdown_before_deletion = true # jobs under way are finished

  public_net {
    ipv4_enabled = true
    ipv6_enabled = true
  }

  lifecycle {
    create_before_destroy = true

    precondition {
      condition     = length(module.agent.user_data) <= 32768
      error_message = "Hetzner takes 32 KB of user data: settings or bus_ca are too long."
    }
  }
}
