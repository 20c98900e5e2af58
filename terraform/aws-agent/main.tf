terraform {
  required_version = ">= 1.9"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.80, < 7.0"
    }
  }
}

data "aws_region" "current" {}

locals {
  # `id` is the region's name in provider 5 and in 6; `name` is not in both.
  region = data.aws_region.current.id
  name   = "vedette-agent-${var.location}"
  tags   = merge(var.tags, { Name = local.name, "vedette:location" = var.location })
}

module "agent" {
  source       = "../agent"
  location     = var.location
  nats_url     = var.nats_url
  bus_ca       = var.bus_ca
  artifact     = var.artifact
  node         = var.node
  repository   = var.repository
  commit       = var.commit
  architecture = var.architecture
  settings     = var.settings
  packages     = ["awscli"]
  # By its name: with the secret's address, which AWS makes, nobody could see in a plan whether the machines are replaced.
  credentials_command = "aws secretsmanager get-secret-value --region '${local.region}' --secret-id '${local.secret_name}' --query SecretString --output text"
}

# Debian's own images: https://wiki.debian.org/Cloud/AmazonEC2Image
data "aws_ami" "debian" {
  owners      = ["136693071363"]
  most_recent = true

  filter {
    name   = "name"
    values = ["debian-12-${var.architecture == "x64" ? "amd64" : "arm64"}-*"]
  }
}

resource "aws_instance" "agent" {
  for_each = toset([for number in range(var.instances) : tostring(number + 1)])

  ami                         = data.aws_ami.debian.id
  instance_type               = var.instance_type
  subnet_id                   = aws_subnet.agent[(tonumber(each.key) - 1) % length(aws_subnet.agent)].id
  vpc_security_group_ids      = [aws_security_group.agent.id]
  associate_public_ip_address = true
  ipv6_address_count          = 1
  iam_instance_profile        = aws_iam_instance_profile.agent.name
  user_data                   = module.agent.user_data
  user_data_replace_on_change = true
  tags                        = merge(local.tags, { Name = "${local.name}-${each.key}" })
  volume_tags                 = merge(local.tags, { Name = "${local.name}-${each.key}" })

  metadata_options {
    http_tokens                 = "required" # IMDSv2: a request that a stranger makes us send has no token
    http_put_response_hop_limit = 1
    http_endpoint               = "enabled"
    http_protocol_ipv6          = "disabled"
    instance_metadata_tags      = "disabled"
  }

  root_block_device {
    volume_type = "gp3"
    volume_size = 12
    encrypted   = true
    kms_key_id  = var.kms_key_arn
  }

  lifecycle {
    create_before_destroy = true
    # A newer image is for the next machine: Debian publishes one every few weeks, and this one updates itself.
    ignore_changes = [ami]

    precondition {
      condition     = length(module.agent.user_data) <= 16384
      error_message = "EC2 takes 16 KB of user data: settings or bus_ca are too long."
    }
  }
}
