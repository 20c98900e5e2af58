mock_provider "aws" {
  mock_data "aws_region" {
    defaults = { id = "eu-central-1", name = "eu-central-1" }
  }
  mock_data "aws_availability_zones" {
    defaults = { names = ["eu-central-1a", "eu-central-1b", "eu-central-1c"] }
  }
  mock_data "aws_iam_policy_document" {
    defaults = { json = "{\"Version\":\"2012-10-17\",\"Statement\":[]}" }
  }
  mock_resource "aws_vpc" {
    defaults = { ipv6_cidr_block = "2001:db8:87::/56" }
  }
  mock_resource "aws_lb" {
    defaults = { arn = "arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/vedette/0123456789abcdef" }
  }
  mock_resource "aws_lb_target_group" {
    defaults = { arn = "arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/vedette/0123456789abcdef" }
  }
  mock_resource "aws_db_instance" {
    defaults = { endpoint = "vedette.example.eu-central-1.rds.amazonaws.com:5432" }
  }
  mock_resource "aws_eip" {
    defaults = { public_ip = "192.0.2.1" }
  }
  mock_resource "aws_instance" {
    defaults = { ipv6_addresses = ["2001:db8:87:4::10"] }
  }
}

variables {
  repository = "https://git.example.org/vedette.git"
  machines = {
    gateway-1  = { commit = "0123456789abcdef0123456789abcdef01234567" }
    gateway-2  = { commit = "89abcdef0123456789abcdef0123456789abcdef" }
    renderer-1 = { commit = "0123456789abcdef0123456789abcdef01234567", instance_type = "m7i.large" }
  }
  bus = {
    host        = "bus.example.org"
    nats_server = { url = "https://artifacts.example.org/nats-server.tar.gz", sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" }
    ca          = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
  }
  zone_id           = "Z0123456789"
  certificate_arn   = "arn:aws:acm:eu-central-1:123456789012:certificate/00000000-0000-0000-0000-000000000000"
  database_password = "none"
  database_secret   = { name = "vedette/database", arn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:vedette/database" }
  operator_secret   = { name = "vedette/operator", arn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:vedette/operator" }
  operators         = ["10.9.0.0/24"]
  settings          = { gateway = { VEDETTE_CONTACT = "https://probes.example.org" } }
}

run "a_service" {
  assert {
    condition = jsonencode({ for name, rule in aws_vpc_security_group_ingress_rule.core : name => coalesce(rule.cidr_ipv4, rule.cidr_ipv6, "a group") }) == jsonencode({
      "balancer 443 0.0.0.0/0"    = "0.0.0.0/0"
      "balancer 443 ::/0"         = "::/0"
      "balancer 80 0.0.0.0/0"     = "0.0.0.0/0"
      "balancer 80 ::/0"          = "::/0"
      "database 5432 gateway"     = "a group"
      "gateway 8080 balancer"     = "a group"
      "gateway 9464 10.9.0.0/24"  = "10.9.0.0/24"
      "nats 4222 0.0.0.0/0"       = "0.0.0.0/0"
      "nats 4222 ::/0"            = "::/0"
      "nats 6222 nats-1"          = "192.0.2.1/32"
      "nats 6222 nats-2"          = "192.0.2.1/32"
      "nats 6222 nats-3"          = "192.0.2.1/32"
      "renderer 9464 10.9.0.0/24" = "10.9.0.0/24"
    })
    error_message = "this may come in, and nothing else"
  }
  assert {
    condition     = !anytrue([for name, _ in aws_vpc_security_group_egress_rule.core : startswith(name, "database")])
    error_message = "the database has no way out"
  }
  assert {
    condition = jsonencode({ for name, document in data.aws_iam_policy_document.secrets : name => [for statement in document.statement : [statement.actions, length(statement.resources)]] }) == jsonencode(merge(
      { for name in ["gateway-1", "gateway-2"] : name => [[["secretsmanager:GetSecretValue"], 3]] },
      { for name in ["nats-1", "nats-2", "nats-3", "renderer-1"] : name => [[["secretsmanager:GetSecretValue"], 1]] },
    ))
    error_message = "gateways read their key, the database's password and the operators' token; all others one secret each"
  }
  assert {
    condition = alltrue([for machine in concat(values(aws_instance.machine), values(aws_instance.nats)) : alltrue([
      machine.metadata_options[0].http_tokens == "required",
      machine.metadata_options[0].http_put_response_hop_limit == 1,
      machine.root_block_device[0].encrypted,
    ])])
    error_message = "IMDSv2 only, encrypted disks"
  }
  assert {
    condition     = length(distinct([for machine in aws_instance.nats : machine.subnet_id])) == 3 && aws_instance.machine["gateway-1"].subnet_id != aws_instance.machine["gateway-2"].subnet_id
    error_message = "what stands in for each other stands in several zones"
  }
  assert {
    condition     = aws_db_instance.core.storage_encrypted && aws_db_instance.core.multi_az && aws_db_instance.core.deletion_protection && !aws_db_instance.core.publicly_accessible && aws_db_instance.core.password == null
    error_message = "the database is encrypted, has a standby, and its password is in no state"
  }
  assert {
    condition     = toset(keys(aws_lb_target_group_attachment.gateway)) == toset(["gateway-1", "gateway-2"])
    error_message = "the load balancer has the gateways behind it"
  }
  assert {
    condition     = output.nats_url == "tls://nats-1.bus.example.org:4222,tls://nats-2.bus.example.org:4222,tls://nats-3.bus.example.org:4222" && length(aws_route53_record.nats) == 6
    error_message = "clients know all servers of the bus, which are in the DNS"
  }
  assert {
    condition     = strcontains(local.machine_files["gateway-2"]["/usr/local/sbin/vedette-install"].content, "git checkout --detach '89abcdef0123456789abcdef0123456789abcdef'")
    error_message = "each machine runs its commit"
  }
  assert {
    condition     = strcontains(local.machine_files["gateway-1"]["/etc/vedette/gateway.env"].content, "\nVEDETTE_TRUSTED_PROXIES=10.87.0.0/24,10.87.1.0/24,10.87.2.0/24\n")
    error_message = "only the load balancer's word counts for who a client is"
  }
  assert {
    condition     = strcontains(local.machine_files["gateway-1"]["/usr/local/sbin/vedette-secrets"].content, "VEDETTE_DATABASE_URL=postgresql://vedette:$password@vedette.example.eu-central-1.rds.amazonaws.com:5432/vedette?sslmode=verify-full&sslrootcert=")
    error_message = "gateways check the database's certificate"
  }
}

run "refuses_what_may_move_and_who_is_everybody" {
  command = plan
  variables {
    machines  = { gateway-1 = { commit = "main" } }
    operators = ["0.0.0.0/0"]
  }
  expect_failures = [var.machines, var.operators]
}
