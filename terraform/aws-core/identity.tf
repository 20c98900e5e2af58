locals {
  # What each machine may read: its own key, and a gateway the database's password and the operators' token.
  secrets = merge(
    { for name, machine in local.machines : name => concat(
      [aws_secretsmanager_secret.key[name].arn],
      machine.role == "gateway" ? [var.database_secret.arn, var.operator_secret.arn] : [],
    ) },
    { for number, _ in local.servers : "nats-${number}" => [aws_secretsmanager_secret.bus[number].arn] },
  )
}

# The places alone. What is in them never passes through Terraform.
resource "aws_secretsmanager_secret" "key" {
  for_each = local.machines

  name                    = "${var.name}/${each.key}"
  description             = "nkey seed of Vedette's ${each.key}"
  kms_key_id              = var.kms_key_arn
  recovery_window_in_days = 7
  tags                    = local.tags
}

resource "aws_secretsmanager_secret" "bus" {
  for_each = local.servers

  name                    = "${var.name}/nats-${each.key}"
  description             = "Configuration, certificate and key of Vedette's nats-${each.key}, a tar.gz"
  kms_key_id              = var.kms_key_arn
  recovery_window_in_days = 7
  tags                    = local.tags
}

data "aws_iam_policy_document" "ec2" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "secrets" {
  for_each = local.secrets

  statement {
    actions   = ["secretsmanager:GetSecretValue"]
    resources = each.value
  }

  dynamic "statement" {
    for_each = var.kms_key_arn[*]

    content {
      actions   = ["kms:Decrypt"]
      resources = [statement.value]

      condition {
        test     = "StringEquals"
        variable = "kms:ViaService"
        values   = ["secretsmanager.${local.region}.amazonaws.com"]
      }
    }
  }
}

resource "aws_iam_role" "machine" {
  for_each = local.secrets

  name_prefix        = "${substr("${var.name}-${each.key}", 0, 36)}-"
  assume_role_policy = data.aws_iam_policy_document.ec2.json
  tags               = local.tags
}

resource "aws_iam_role_policy" "secrets" {
  for_each = local.secrets

  name   = "read-own-secrets"
  role   = aws_iam_role.machine[each.key].id
  policy = data.aws_iam_policy_document.secrets[each.key].json
}

resource "aws_iam_instance_profile" "machine" {
  for_each = local.secrets

  name_prefix = "${substr("${var.name}-${each.key}", 0, 36)}-"
  role        = aws_iam_role.machine[each.key].name
  tags        = local.tags
}
