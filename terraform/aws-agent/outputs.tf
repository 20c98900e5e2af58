output "secret_name" {
  description = "Where the location's nkey seed belongs, in this region: `aws secretsmanager put-secret-value --secret-id <name> --secret-string file://agent-<location>.nkey`."
  value       = aws_secretsmanager_secret.key.name
}

output "instance_ids" {
  description = "The machines, by number."
  value       = { for number, instance in aws_instance.agent : number => instance.id }
}

output "ipv4_addresses" {
  description = "What the machines measure from; it changes with each new machine."
  value       = { for number, instance in aws_instance.agent : number => instance.public_ip }
}

output "ipv6_addresses" {
  description = "What the machines measure from by IPv6."
  value       = { for number, instance in aws_instance.agent : number => one(instance.ipv6_addresses) }
}
