output "secret_id" {
  description = "Where the location's nkey seed belongs: `gcloud secrets versions add <id> --data-file agent-<location>.nkey`."
  value       = google_secret_manager_secret.key.secret_id
}

output "ipv4_addresses" {
  description = "What the machines measure from; it changes with each new machine."
  value       = { for number, instance in google_compute_instance.agent : number => instance.network_interface[0].access_config[0].nat_ip }
}

output "ipv6_addresses" {
  description = "What the machines measure from by IPv6."
  value       = { for number, instance in google_compute_instance.agent : number => instance.network_interface[0].ipv6_access_config[0].external_ipv6 }
}
