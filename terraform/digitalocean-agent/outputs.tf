output "ipv4_addresses" {
  description = "What the machines measure from; it changes with each new machine."
  value       = { for number, droplet in digitalocean_droplet.agent : number => droplet.ipv4_address }
}

output "ipv6_addresses" {
  description = "What the machines measure from by IPv6."
  value       = { for number, droplet in digitalocean_droplet.agent : number => droplet.ipv6_address }
}
