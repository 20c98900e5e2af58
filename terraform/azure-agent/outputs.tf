output "ip_addresses" {
  description = "What the machines measure from, by number and family; they stay when a machine is replaced."
  value       = { for name, address in azurerm_public_ip.agent : name => address.ip_address }
}

output "identity_principal_id" {
  description = "Who the machines are to Azure."
  value       = azurerm_user_assigned_identity.agent.principal_id
}
