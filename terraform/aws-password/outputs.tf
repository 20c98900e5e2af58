output "password" {
  description = "For arguments that are not kept (…_wo)."
  value       = ephemeral.aws_secretsmanager_secret_version.kept.secret_string
  ephemeral   = true
}

output "secret" {
  description = "Name and ARN of the secret that has it."
  value       = { name = aws_secretsmanager_secret.kept.name, arn = aws_secretsmanager_secret.kept.arn }
}
