# Agents in regions of DigitalOcean. Each gets a token of its own for the one time that it fetches its key (../../README.md).

terraform {
  required_version = ">= 1.9"
  required_providers {
    digitalocean = {
      source  = "digitalocean/digitalocean"
      version = ">= 2.30, < 3.0"
    }
  }
}

provider "digitalocean" {} # DIGITALOCEAN_TOKEN

variable "key_commands" {
  description = "By location, the command that prints its nkey seed on the machine."
  type        = map(string)
}

module "agent" {
  source   = "../../digitalocean-agent"
  for_each = { us-nyc = "nyc3", eu-ams = "ams3", sg-sin = "sgp1", au-syd = "syd1" }

  location            = each.key
  region              = each.value
  nats_url            = "tls://bus.example.org:4222"
  credentials_command = var.key_commands[each.key]
  keep_key            = true
  artifact = {
    url    = "https://artifacts.example.org/vedette-agent-1.2.3-x64.tar.gz"
    sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
  }
}
