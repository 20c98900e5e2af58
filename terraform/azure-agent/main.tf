terraform {
  required_version = ">= 1.9"
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = ">= 4.0, < 5.0"
    }
  }
}

locals {
  name    = "vedette-agent-${replace(lower(var.location), "_", "-")}"
  numbers = toset([for number in range(var.instances) : tostring(number + 1)])
}

module "agent" {
  source     = "../agent"
  location   = var.location
  nats_url   = var.nats_url
  bus_ca     = var.bus_ca
  artifact   = var.artifact
  node       = var.node
  repository = var.repository
  commit     = var.commit
  settings   = var.settings
  packages   = ["python3"]
  credentials_command = templatefile("${path.module}/key.sh.tftpl", {
    identity = azurerm_user_assigned_identity.agent.client_id
    secret   = "${trimsuffix(var.key_vault.uri, "/")}/secrets/${var.secret_name}"
  })
}

resource "azurerm_resource_group" "agent" {
  name     = local.name
  location = var.region
  tags     = var.tags
}

resource "azurerm_user_assigned_identity" "agent" {
  name                = local.name
  resource_group_name = azurerm_resource_group.agent.name
  location            = var.region
  tags                = var.tags
}

# All that the machine may do at Azure: read this one secret.
resource "azurerm_role_assignment" "key" {
  scope                = "${var.key_vault.id}/secrets/${var.secret_name}"
  role_definition_name = "Key Vault Secrets User"
  principal_id         = azurerm_user_assigned_identity.agent.principal_id
  principal_type       = "ServicePrincipal"
}

resource "azurerm_virtual_network" "agent" {
  name                = local.name
  resource_group_name = azurerm_resource_group.agent.name
  location            = var.region
  address_space       = ["10.86.0.0/24", "fd00:86::/48"]
  tags                = var.tags
}

resource "azurerm_subnet" "agent" {
  name                 = "agents"
  resource_group_name  = azurerm_resource_group.agent.name
  virtual_network_name = azurerm_virtual_network.agent.name
  address_prefixes     = ["10.86.0.0/24", "fd00:86::/64"]
}

# Azure's own rules let in what comes from the same network and from its load balancers: this one comes before them.
resource "azurerm_network_security_group" "agent" {
  name                = local.name
  resource_group_name = azurerm_resource_group.agent.name
  location            = var.region
  tags                = var.tags

  security_rule {
    name                       = "nothing-comes-in"
    priority                   = 100
    direction                  = "Inbound"
    access                     = "Deny"
    protocol                   = "*"
    source_port_range          = "*"
    destination_port_range     = "*"
    source_address_prefix      = "*"
    destination_address_prefix = "*"
  }
}

resource "azurerm_subnet_network_security_group_association" "agent" {
  subnet_id                 = azurerm_subnet.agent.id
  network_security_group_id = azurerm_network_security_group.agent.id
}

resource "azurerm_public_ip" "agent" {
  for_each = { for pair in setproduct(local.numbers, ["IPv4", "IPv6"]) : "${pair[0]}-${pair[1]}" => pair[1] }

  name                = "${local.name}-${lower(each.key)}"
  resource_group_name = azurerm_resource_group.agent.name
  location            = var.region
  allocation_method   = "Static"
  sku                 = "Standard"
  ip_version          = each.value
  tags                = var.tags
}

resource "azurerm_network_interface" "agent" {
  for_each = local.numbers

  name                = "${local.name}-${each.key}"
  resource_group_name = azurerm_resource_group.agent.name
  location            = var.region
  tags                = var.tags

  ip_configuration {
    name                          = "ipv4"
    primary                       = true
    subnet_id                     = azurerm_subnet.agent.id
    private_ip_address_version    = "IPv4"
    private_ip_address_allocation = "Dynamic"
    public_ip_address_id          = azurerm_public_ip.agent["${each.key}-IPv4"].id
  }

  ip_configuration {
    name                          = "ipv6"
    subnet_id                     = azurerm_subnet.agent.id
    private_ip_address_version    = "IPv6"
    private_ip_address_allocation = "Dynamic"
    public_ip_address_id          = azurerm_public_ip.agent["${each.key}-IPv6"].id
  }
}

# The addresses are those of the interface, which one machine can have at a time: a new machine comes when the old one has gone.
resource "azurerm_linux_virtual_machine" "agent" {
  for_each = local.numbers

  name                       = "${local.name}-${each.key}"
  resource_group_name        = azurerm_resource_group.agent.name
  location                   = var.region
  size                       = var.vm_size
  network_interface_ids      = [azurerm_network_interface.agent[each.key].id]
  custom_data                = base64encode(module.agent.user_data) # new data, new machine
  admin_username             = "azureuser"
  encryption_at_host_enabled = var.encryption_at_host
  allow_extension_operations = false # nobody runs commands in it through Azure
  tags                       = var.tags

  admin_ssh_key {
    username   = "azureuser"
    public_key = var.admin_public_key
  }

  os_disk {
    caching              = "ReadWrite"
    storage_account_type = "StandardSSD_LRS"
  }

  source_image_reference {
    publisher = "Debian"
    offer     = "debian-12"
    sku       = "12-gen2"
    version   = "latest"
  }

  identity {
    type         = "UserAssigned"
    identity_ids = [azurerm_user_assigned_identity.agent.id]
  }

  # It is never there without its rule, and can read the key from the first boot on.
  depends_on = [azurerm_subnet_network_security_group_association.agent, azurerm_role_assignment.key]
}
