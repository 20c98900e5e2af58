# Three kinds of subnets, each in three zones: what the internet reaches (the load balancer), machines, and the database, which has no way out.

resource "aws_vpc" "core" {
  cidr_block                       = var.vpc_cidr
  assign_generated_ipv6_cidr_block = true
  enable_dns_support               = true
  enable_dns_hostnames             = true
  tags                             = merge(local.tags, { Name = var.name })
}

# The group that AWS gives to whatever names none: nobody may do anything with it.
resource "aws_default_security_group" "none" {
  vpc_id = aws_vpc.core.id
  tags   = merge(local.tags, { Name = "${var.name}-unused" })
}

resource "aws_internet_gateway" "core" {
  vpc_id = aws_vpc.core.id
  tags   = merge(local.tags, { Name = var.name })
}

resource "aws_subnet" "core" {
  for_each = { for pair in setproduct(["edge", "machines", "database"], range(3)) : "${pair[0]}-${pair[1]}" => {
    kind  = pair[0]
    zone  = pair[1]
    place = index(["edge", "machines", "database"], pair[0]) * 4 + pair[1]
  } }

  vpc_id            = aws_vpc.core.id
  availability_zone = local.zones[each.value.zone]
  cidr_block        = cidrsubnet(aws_vpc.core.cidr_block, 4, each.value.place)
  ipv6_cidr_block   = each.value.kind == "database" ? null : cidrsubnet(aws_vpc.core.ipv6_cidr_block, 8, each.value.place)
  tags              = merge(local.tags, { Name = "${var.name}-${each.key}" })
}

locals {
  subnets = { for kind in ["edge", "machines", "database"] : kind => [for zone in range(3) : aws_subnet.core["${kind}-${zone}"]] }
}

# Gateways look at the DNS and at web pages themselves: they have addresses of their own, and no NAT that would be the bottleneck. What may come in
# the security groups say.
resource "aws_route_table" "public" {
  vpc_id = aws_vpc.core.id
  tags   = merge(local.tags, { Name = "${var.name}-public" })

  route {
    cidr_block = "0.0.0.0/0"
    gateway_id = aws_internet_gateway.core.id
  }

  route {
    ipv6_cidr_block = "::/0"
    gateway_id      = aws_internet_gateway.core.id
  }
}

resource "aws_route_table_association" "public" {
  for_each = { for name, subnet in aws_subnet.core : name => subnet.id if !startswith(name, "database") }

  subnet_id      = each.value
  route_table_id = aws_route_table.public.id
}

resource "aws_security_group" "core" {
  for_each = {
    balancer = "the load balancer"
    gateway  = "gateways"
    renderer = "renderers"
    nats     = "the bus"
    database = "PostgreSQL"
  }

  name_prefix = "${var.name}-${each.key}-"
  description = "Vedette: ${each.value}"
  vpc_id      = aws_vpc.core.id
  tags        = merge(local.tags, { Name = "${var.name}-${each.key}" })

  lifecycle {
    create_before_destroy = true
  }
}

locals {
  # A rule has one peer, so that they are written out, each under a name that stays.
  rules = merge(
    { for rule in setproduct(["balancer"], [80, 443], var.clients) : join(" ", rule) => { group = rule[0], port = rule[1], cidr = rule[2], peer = null } },
    { for rule in setproduct(["gateway", "renderer"], [9464], var.operators) : join(" ", rule) => { group = rule[0], port = rule[1], cidr = rule[2], peer = null } },
    var.operator_ssh_key == null ? {} : { for rule in setproduct(["gateway", "renderer", "nats"], [22], var.operators) : join(" ", rule) => { group = rule[0], port = rule[1], cidr = rule[2], peer = null } },
    { for rule in setproduct(["nats"], var.bus.leaf_port == null ? [4222] : [4222, var.bus.leaf_port], var.bus.clients) : join(" ", rule) => { group = rule[0], port = rule[1], cidr = rule[2], peer = null } },
    # The servers of a cluster know each other by their public names.
    var.bus.servers == 1 ? {} : { for number, _ in local.servers : "nats 6222 nats-${number}" => { group = "nats", port = 6222, cidr = "${aws_eip.nats[number].public_ip}/32", peer = null } },
    {
      "gateway 8080 balancer" = { group = "gateway", port = 8080, cidr = null, peer = "balancer" }
      "database 5432 gateway" = { group = "database", port = 5432, cidr = null, peer = "gateway" }
    },
  )
  ways_out = merge(
    { for way in setproduct(["gateway", "renderer", "nats"], ["0.0.0.0/0", "::/0"]) : join(" ", way) => { group = way[0], cidr = way[1], port = null, peer = null } },
    { "balancer gateway" = { group = "balancer", cidr = null, port = 8080, peer = "gateway" } },
  )
}

resource "aws_vpc_security_group_ingress_rule" "core" {
  for_each = local.rules

  security_group_id            = aws_security_group.core[each.value.group].id
  ip_protocol                  = "tcp"
  from_port                    = each.value.port
  to_port                      = each.value.port
  cidr_ipv4                    = each.value.cidr == null || strcontains(coalesce(each.value.cidr, " "), ":") ? null : each.value.cidr
  cidr_ipv6                    = strcontains(coalesce(each.value.cidr, " "), ":") ? each.value.cidr : null
  referenced_security_group_id = each.value.peer == null ? null : aws_security_group.core[each.value.peer].id
  tags                         = local.tags
}

resource "aws_vpc_security_group_egress_rule" "core" {
  for_each = local.ways_out

  security_group_id            = aws_security_group.core[each.value.group].id
  ip_protocol                  = each.value.port == null ? "-1" : "tcp"
  from_port                    = each.value.port
  to_port                      = each.value.port
  cidr_ipv4                    = each.value.cidr == null || strcontains(coalesce(each.value.cidr, " "), ":") ? null : each.value.cidr
  cidr_ipv6                    = strcontains(coalesce(each.value.cidr, " "), ":") ? each.value.cidr : null
  referenced_security_group_id = each.value.peer == null ? null : aws_security_group.core[each.value.peer].id
  tags                         = local.tags
}
