output "user_data" {
  description = "Cloud-init for a machine of Debian 12 (or Ubuntu 24.04) that becomes one agent. It holds no secret."
  value       = local.user_data
}

output "short_hash" {
  description = "Eight digits that change when user_data does: for names of machines that are replaced then."
  value       = substr(sha256(local.user_data), 0, 8)
}
