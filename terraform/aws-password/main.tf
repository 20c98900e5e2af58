# A password that is made for the moment and goes to the secret store; who needs it reads it there. Neither plan nor state has it.

terraform {
  required_version = ">= 1.11"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.98, < 7.0"
    }
  }
}

ephemeral "aws_secretsmanager_random_password" "made" {
  password_length     = 48
  exclude_punctuation = true # it stands in URLs and in settings
}

resource "aws_secretsmanager_secret" "kept" {
  name                    = var.name
  description             = var.description
  kms_key_id              = var.kms_key_arn
  recovery_window_in_days = 7
  tags                    = var.tags
}

resource "aws_secretsmanager_secret_version" "kept" {
  secret_id                = aws_secretsmanager_secret.kept.id
  secret_string_wo         = ephemeral.aws_secretsmanager_random_password.made.random_password
  secret_string_wo_version = var.password_version
}

# What is kept, not what was made: in a run that makes no new one these are two.
ephemeral "aws_secretsmanager_secret_version" "kept" {
  # Of the version, so that it is read after that was written.
  secret_id = aws_secretsmanager_secret_version.kept.secret_id
}
