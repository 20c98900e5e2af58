output "api_host" {
  description = "What the API's name is an alias (or CNAME) of."
  value       = aws_lb.core.dns_name
}

output "api_zone_id" {
  description = "Route 53 zone of api_host, for an alias record."
  value       = aws_lb.core.zone_id
}

output "nats_url" {
  description = "The bus, for agents: VEDETTE_NATS_URL, or `nats_url` of the agent modules."
  value       = local.nats_url
}

output "bus_addresses" {
  description = "What nats-1.<bus.host> and the others are to have as A and AAAA, where there is no zone_id."
  value = { for number, _ in local.servers : "nats-${number}.${var.bus.host}" => {
    A    = aws_eip.nats[number].public_ip
    AAAA = one(aws_instance.nats[number].ipv6_addresses)
  } }
}

output "secret_names" {
  description = "Where keys and configurations belong: of gateways and renderers their nkey seed (--secret-string), of the bus's servers a tar.gz (--secret-binary)."
  value = merge(
    { for name, secret in aws_secretsmanager_secret.key : name => secret.name },
    { for number, secret in aws_secretsmanager_secret.bus : "nats-${number}" => secret.name },
  )
}

output "ops_addresses" {
  description = "Private addresses of gateways and renderers: /metrics, and /admin of gateways, are on their port 9464, for those whom `operators` names."
  value       = { for name, machine in aws_instance.machine : name => machine.private_ip }
}

output "database_endpoint" {
  description = "Host and port of PostgreSQL."
  value       = aws_db_instance.core.endpoint
}
