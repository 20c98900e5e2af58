# Agents at locations of Hetzner. Each gets a token of its own for the one time that it fetches its key (../../README.md).

terraform {
  required_version = ">= 1.9"
  required_providers {
    hcloud = {
      source  = "hetznercloud/hcloud"
      version = ">= 1.45, < 2.0"
    }
  }
}

provider "hcloud" {} # HCLOUD_TOKEN

variable "key_commands" {
  description = "By location, the command that prints its nkey seed on the machine."
  type        = map(string)
}

module "agent" {
  source   = "../../hetzner-agent"
  for_each = { eu-nue = "nbg1", eu-hel = "hel1", us-ash = "ash", sg-sin = "sin" }

  location            = each.key
  hetzner_location    = each.value
  server_type         = startswith(each.key, "eu-") ? "cx23" : "cpx11"
  nats_url            = "tls://bus.example.org:4222"
  credentials_command = var.key_commands[each.key]
  keep_key            = true
  artifact = {
    url    = "https://artifacts.example.org/vedette-agent-1.2.3-x64.tar.gz"
    sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
  }
}
