# Agents in regions of Google Cloud: one provider knows all of them.

terraform {
  required_version = ">= 1.9"
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 5.0, < 8.0"
    }
  }
}

provider "google" {
  project = "example"
}

module "agent" {
  source   = "../../google-agent"
  for_each = toset(["europe-west3", "us-east4", "asia-southeast1"])

  location  = each.key
  region    = each.key
  instances = 2
  nats_url  = "tls://bus.example.org:4222"
  artifact = {
    url    = "https://artifacts.example.org/vedette-agent-1.2.3-x64.tar.gz"
    sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
  }
}

output "secret_ids" {
  description = "Where each location's nkey seed belongs."
  value       = { for location, agent in module.agent : location => agent.secret_id }
}
