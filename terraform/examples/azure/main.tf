# Agents in regions of Azure: one provider knows all of them. The vault is there before, with a secret for each location.

terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = ">= 4.0, < 5.0"
    }
  }
}

provider "azurerm" {
  features {}
}

data "azurerm_key_vault" "vedette" {
  name                = "example"
  resource_group_name = "example"
}

module "agent" {
  source   = "../../azure-agent"
  for_each = toset(["germanywestcentral", "eastus2", "southeastasia"])

  location         = each.key
  region           = each.key
  instances        = 2
  nats_url         = "tls://bus.example.org:4222"
  admin_public_key = file("~/.ssh/id_ed25519.pub")
  key_vault        = { id = data.azurerm_key_vault.vedette.id, uri = data.azurerm_key_vault.vedette.vault_uri }
  secret_name      = "vedette-agent-${each.key}"
  artifact = {
    url    = "https://artifacts.example.org/vedette-agent-1.2.3-x64.tar.gz"
    sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
  }
}
