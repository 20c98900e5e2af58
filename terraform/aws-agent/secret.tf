locals {
  secret_name = "vedette/agent-${var.location}"
}

# The place alone. What is in it never passes through Terraform: `aws secretsmanager put-secret-value`, as the README says.
resource "aws_secretsmanager_secret" "key" {
  name                    = local.secret_name
  description             = "nkey seed of the Vedette agents at ${var.location}"
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

# All that the machine may do at AWS: read this one secret.
data "aws_iam_policy_document" "key" {
  statement {
    actions   = ["secretsmanager:GetSecretValue"]
    resources = [aws_secretsmanager_secret.key.arn]
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

resource "aws_iam_role" "agent" {
  name_prefix        = "vedette-agent-"
  description        = "Vedette agents at ${var.location}"
  assume_role_policy = data.aws_iam_policy_document.ec2.json
  tags               = local.tags
}

resource "aws_iam_role_policy" "key" {
  name   = "read-own-key"
  role   = aws_iam_role.agent.id
  policy = data.aws_iam_policy_document.key.json
}

resource "aws_iam_instance_profile" "agent" {
  name_prefix = "vedette-agent-"
  role        = aws_iam_role.agent.name
  tags        = local.tags
}
