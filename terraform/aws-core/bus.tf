# The bus: nats-servers that keep nothing, each with an address that stays. Its configuration comes from the secret store, and is looked at every
# minute: a new location, or a key that is taken back, needs no new machine.

locals {
  nats_files = { for number, _ in local.servers : number => {
    "/usr/local/sbin/vedette-install" = { mode = "0755", content = templatefile("${path.module}/install-nats.sh.tftpl", { nats_server = var.bus.nats_server }) }
    "/usr/local/sbin/vedette-bus"     = { mode = "0755", content = templatefile("${path.module}/bus.sh.tftpl", { region = local.region, secret = "${var.name}/nats-${number}" }) }
    "/etc/systemd/system/vedette-bus.service" = { mode = "0644", content = <<-EOT
      [Unit]
      Description=Configuration of Vedette's bus, from the secret store
      Wants=network-online.target
      After=network-online.target

      [Service]
      Type=oneshot
      ExecStart=/usr/local/sbin/vedette-bus
      TimeoutStartSec=infinity
    EOT
    }
    "/etc/systemd/system/vedette-bus.timer" = { mode = "0644", content = <<-EOT
      [Unit]
      Description=Looks for a new configuration of Vedette's bus

      [Timer]
      OnBootSec=1min
      OnUnitInactiveSec=1min

      [Install]
      WantedBy=timers.target
    EOT
    }
    "/etc/systemd/system/vedette-nats.service" = { mode = "0644", content = file("${path.module}/../../deploy/systemd/vedette-nats.service") }
    "/etc/systemd/system/vedette-nats.service.d/machine.conf" = { mode = "0644", content = <<-EOT
      [Unit]
      ConditionPathExists=/etc/vedette/bus/nats-server.conf

      [Service]
      # Files that the configuration names without a folder are beside it.
      WorkingDirectory=/etc/vedette/bus
      ExecStart=
      ExecStart=/usr/local/sbin/nats-server -c /etc/vedette/bus/nats-server.conf
      IPAddressDeny=169.254.169.254/32 fd00:ec2::254/128
    EOT
    }
    "/etc/apt/apt.conf.d/60vedette" = local.updates
  } }

  nats_user_data = { for number, _ in local.servers : number => "#cloud-config\n${yamlencode({
    package_update = true
    packages       = ["awscli", "ca-certificates", "curl", "unattended-upgrades"]
    users          = concat([{ name = "vedette-nats", system = true, no_create_home = true, homedir = "/", shell = "/usr/sbin/nologin" }], local.people)
    ssh_pwauth     = false
    write_files    = [for path, file in local.nats_files[number] : { path = path, encoding = "b64", content = base64encode(file.content), permissions = file.mode }]
    runcmd         = concat(local.ssh_off, [["sh", "-c", "until /usr/local/sbin/vedette-install; do sleep 60; done"]])
  })}" }
}

resource "aws_instance" "nats" {
  for_each = local.servers

  ami                         = data.aws_ami.debian.id
  instance_type               = var.bus.instance_type
  subnet_id                   = local.subnets["machines"][each.value].id
  vpc_security_group_ids      = [aws_security_group.core["nats"].id]
  associate_public_ip_address = true
  ipv6_address_count          = 1
  iam_instance_profile        = aws_iam_instance_profile.machine["nats-${each.key}"].name
  user_data                   = local.nats_user_data[each.key]
  tags                        = merge(local.tags, { Name = "${var.name}-nats-${each.key}", "vedette:role" = "nats" })
  volume_tags                 = merge(local.tags, { Name = "${var.name}-nats-${each.key}" })

  metadata_options {
    http_tokens                 = "required"
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
    # All three at once would be no bus at all: `terraform apply -replace` takes one after the other, for a newer nats-server too.
    ignore_changes = [ami, user_data]

    precondition {
      condition     = length(local.nats_user_data[each.key]) <= 16384
      error_message = "EC2 takes 16 KB of user data."
    }
  }
}

resource "aws_eip" "nats" {
  for_each = local.servers

  domain = "vpc"
  tags   = merge(local.tags, { Name = "${var.name}-nats-${each.key}" })
}

resource "aws_eip_association" "nats" {
  for_each = local.servers

  allocation_id = aws_eip.nats[each.key].id
  instance_id   = aws_instance.nats[each.key].id
}

resource "aws_route53_record" "nats" {
  for_each = var.zone_id == null ? {} : { for record in setproduct(keys(local.servers), ["A", "AAAA"]) : join(" ", record) => { number = record[0], type = record[1] } }

  zone_id = var.zone_id
  name    = "nats-${each.value.number}.${var.bus.host}"
  type    = each.value.type
  ttl     = 60
  records = [each.value.type == "A" ? aws_eip.nats[each.value.number].public_ip : one(aws_instance.nats[each.value.number].ipv6_addresses)]
}
