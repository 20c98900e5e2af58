output "ipv4_addresses" {
  description = "What the machines measure from; it changes with each new machine."
  value       = { for number, server in hcloud_server.agent : number => server.ipv4_address }
}

output "ipv6_addresses" {
  description = "What the machines measure from by IPv6."
  value       = { for number, server in hcloud_server.agent : number => server.ipv6_address }
}
