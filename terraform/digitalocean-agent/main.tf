terraform {
  required_version = ">= 1.9"
  required_providers {
    digitalocean = {
      source  = "digitalocean/digitalocean"
      version = ">= 2.30, < 3.0"
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
  settings            = var.settings
  packages            = var.packages
  credentials_command = var.credentials_command
  keep_key            = var.keep_key
}

# A network of its own: whatever the agent is asked to measure, nothing of yours is near it.
resource "digitalocean_vpc" "agent" {
  name   = local.name
  region = var.region
}

resource "digitalocean_droplet" "agent" {
  for_each = toset([for number in range(var.instances) : tostring(number + 1)])

  name              = "${local.name}-${each.key}"
  region            = var.region
  size              = var.size
  image             = "debian-12-x64"
  ipv6              = true
  vpc_uuid          = digitalocean_vpc.agent.id
  user_data         = module.agent.user_data # new data, new machine
  ssh_keys          = var.ssh_keys
  droplet_agent     = false # nobody logs in through the control panel
  graceful_shutdown = true  # jobs under way are finished
  tags              = var.tags

  lifecycle {
    create_before_destroy = true

    precondition {
      condition     = length(module.agent.user_data) <= 65536
      error_message = "DigitalOcean takes 64 KB of user data: settings or bus_ca are too long."
    }
  }
}

# No rule for what comes in: a firewall here forbids what it does not name, so that what goes out is named.
resource "digitalocean_firewall" "agent" {
  name        = local.name
  droplet_ids = [for droplet in digitalocean_droplet.agent : droplet.id]

  outbound_rule {
    protocol              = "tcp"
    port_range            = "1-65535"
    destination_addresses = ["0.0.0.0/0", "::/0"]
  }

  outbound_rule {
    protocol              = "udp"
    port_range            = "1-65535"
    destination_addresses = ["0.0.0.0/0", "::/0"]
  }

  outbound_rule {
    protocol              = "icmp"
    destination_addresses = ["0.0.0.0/0", "::/0"]
  }
}
