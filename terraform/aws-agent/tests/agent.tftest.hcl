mock_provider "aws" {
  mock_data "aws_region" {
    defaults = { id = "eu-central-1", name = "eu-central-1" }
  }
  mock_data "aws_availability_zones" {
    defaults = { names = ["eu-central-1a", "eu-central-1b", "eu-central-1c"] }
  }
  # One zone has no such machines, and there is one in a local zone.
  mock_data "aws_ec2_instance_type_offerings" {
    defaults = { locations = ["eu-central-1c", "eu-central-1a", "eu-central-1-ham-1a"] }
  }
  mock_data "aws_iam_policy_document" {
    defaults = { json = "{\"Version\":\"2012-10-17\",\"Statement\":[]}" }
  }
  mock_resource "aws_vpc" {
    defaults = { ipv6_cidr_block = "2001:db8:86::/56" }
  }
}

variables {
  location    = "eu-central-1"
  nats_url    = "tls://nats-1.bus.example.org:4222,tls://nats-2.bus.example.org:4222"
  artifact    = { url = "https://artifacts.example.org/vedette-agent.tar.gz", sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" }
  instances   = 3
  kms_key_arn = "arn:aws:kms:eu-central-1:123456789012:key/00000000-0000-0000-0000-000000000000"
}

# One run: each starts the provider anew, for a second and more.
run "a_location" {
  assert {
    condition     = [for number in ["1", "2", "3"] : aws_instance.agent[number].subnet_id] == [aws_subnet.agent[0].id, aws_subnet.agent[1].id, aws_subnet.agent[0].id]
    error_message = "machines are spread over zones"
  }
  assert {
    condition     = jsonencode(aws_subnet.agent[*].availability_zone) == jsonencode(["eu-central-1a", "eu-central-1c"])
    error_message = "zones of the region that have such machines, no local zone"
  }
  assert {
    condition     = jsonencode(aws_subnet.agent[*].ipv6_cidr_block) == jsonencode(["2001:db8:86::/64", "2001:db8:86:1::/64"])
    error_message = "each zone has an IPv6 network"
  }
  assert {
    condition = alltrue([for machine in aws_instance.agent : alltrue([
      machine.metadata_options[0].http_tokens == "required",
      machine.metadata_options[0].http_put_response_hop_limit == 1,
      machine.root_block_device[0].encrypted,
      machine.root_block_device[0].kms_key_id == var.kms_key_arn,
      machine.associate_public_ip_address,
      machine.ipv6_address_count == 1,
      machine.user_data_replace_on_change,
    ])])
    error_message = "IMDSv2 only, encrypted disks, IPv4 and IPv6, new machines for new user data"
  }
  assert {
    condition     = alltrue([for machine in aws_instance.agent : jsonencode(machine.vpc_security_group_ids) == jsonencode([aws_security_group.agent.id])])
    error_message = "machines have the one security group"
  }
  assert {
    condition     = aws_vpc_security_group_egress_rule.ipv4.cidr_ipv4 == "0.0.0.0/0" && aws_vpc_security_group_egress_rule.ipv6.cidr_ipv6 == "::/0"
    error_message = "everything goes out"
  }
  assert {
    condition     = jsonencode([for statement in data.aws_iam_policy_document.key.statement : [statement.actions, statement.resources]]) == jsonencode([[["secretsmanager:GetSecretValue"], [aws_secretsmanager_secret.key.arn]], [["kms:Decrypt"], [var.kms_key_arn]]])
    error_message = "a machine may read its location's secret, and nothing else"
  }
  assert {
    condition     = jsonencode([for condition in data.aws_iam_policy_document.key.statement[1].condition : condition.values]) == jsonencode([["secretsmanager.eu-central-1.amazonaws.com"]])
    error_message = "it decrypts through the secret store only"
  }
  assert {
    condition     = strcontains(join("", [for file in yamldecode(module.agent.user_data).write_files : base64decode(file.content) if file.path == "/usr/local/sbin/vedette-agent-key"]), "\naws secretsmanager get-secret-value --region 'eu-central-1' --secret-id '${aws_secretsmanager_secret.key.name}' --query SecretString --output text\n")
    error_message = "it fetches the secret that it may read"
  }
}

run "refuses_more_user_data_than_ec2_takes" {
  command = plan
  variables {
    settings = { VEDETTE_OWN_TARGETS = join(",", [for number in range(1000) : "host-${number}.example.org"]) }
  }
  expect_failures = [aws_instance.agent]
}
