# A network of its own: whatever the agent is asked to measure, nothing of yours is near it.

resource "aws_vpc" "agent" {
  cidr_block                       = "10.86.0.0/24"
  assign_generated_ipv6_cidr_block = true
  enable_dns_support               = true
  enable_dns_hostnames             = true
  tags                             = local.tags
}

# The group that AWS gives to whatever names none: nobody may do anything with it.
resource "aws_default_security_group" "none" {
  vpc_id = aws_vpc.agent.id
  tags   = merge(local.tags, { Name = "${local.name}-unused" })
}

resource "aws_internet_gateway" "agent" {
  vpc_id = aws_vpc.agent.id
  tags   = local.tags
}

# Zones that are part of the region itself, and have such machines: not every zone has every type.
data "aws_availability_zones" "usable" {
  state = "available"

  filter {
    name   = "opt-in-status"
    values = ["opt-in-not-required"]
  }
}

data "aws_ec2_instance_type_offerings" "usable" {
  location_type = "availability-zone"

  filter {
    name   = "instance-type"
    values = [var.instance_type]
  }
}

locals {
  offering = sort(setintersection(data.aws_availability_zones.usable.names, data.aws_ec2_instance_type_offerings.usable.locations))
  zones    = slice(local.offering, 0, min(3, length(local.offering)))
}

resource "aws_subnet" "agent" {
  count = length(local.zones)

  vpc_id                          = aws_vpc.agent.id
  availability_zone               = local.zones[count.index]
  cidr_block                      = cidrsubnet(aws_vpc.agent.cidr_block, 2, count.index)
  ipv6_cidr_block                 = cidrsubnet(aws_vpc.agent.ipv6_cidr_block, 8, count.index)
  assign_ipv6_address_on_creation = true
  tags                            = merge(local.tags, { Name = "${local.name}-${local.zones[count.index]}" })
}

resource "aws_route_table" "agent" {
  vpc_id = aws_vpc.agent.id
  tags   = local.tags

  route {
    cidr_block = "0.0.0.0/0"
    gateway_id = aws_internet_gateway.agent.id
  }

  route {
    ipv6_cidr_block = "::/0"
    gateway_id      = aws_internet_gateway.agent.id
  }
}

resource "aws_route_table_association" "agent" {
  count = length(local.zones)

  subnet_id      = aws_subnet.agent[count.index].id
  route_table_id = aws_route_table.agent.id
}

# No rule for what comes in, here or elsewhere: an agent opens no port.
resource "aws_security_group" "agent" {
  name_prefix = "${local.name}-"
  description = "Vedette agent: out only"
  vpc_id      = aws_vpc.agent.id
  tags        = local.tags

  lifecycle {
    create_before_destroy = true
  }
}

# Anywhere: it measures what it is asked to. The agent itself refuses addresses that are not public.
resource "aws_vpc_security_group_egress_rule" "ipv4" {
  security_group_id = aws_security_group.agent.id
  ip_protocol       = "-1"
  cidr_ipv4         = "0.0.0.0/0"
  tags              = local.tags
}

resource "aws_vpc_security_group_egress_rule" "ipv6" {
  security_group_id = aws_security_group.agent.id
  ip_protocol       = "-1"
  cidr_ipv6         = "::/0"
  tags              = local.tags
}
