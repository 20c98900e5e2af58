locals {
  environment = { for name, machine in local.machines : name => concat(
    [
      "VEDETTE_NATS_URL=${local.nats_url}",
      "VEDETTE_OPS_HOST=0.0.0.0",
      "VEDETTE_OPS_PORT=9464",
    ],
    [for _ in var.bus.ca[*] : "VEDETTE_NATS_CA_FILE=/etc/vedette/bus-ca.pem"],
    machine.role != "gateway" ? [] : [
      "VEDETTE_HOST=0.0.0.0",
      "VEDETTE_PORT=8080",
      # Where the load balancer's own addresses are, and nothing else is.
      "VEDETTE_TRUSTED_PROXIES=${join(",", local.subnets["edge"][*].cidr_block)}",
    ],
    [for setting, value in lookup(var.settings, machine.role, {}) : "${setting}=${value}"],
  ) }

  machine_files = { for name, machine in local.machines : name => {
    "/etc/vedette/${machine.role}.env" = { mode = "0600", content = "${join("\n", local.environment[name])}\n" }
    "/etc/vedette/bus-ca.pem"          = { mode = "0644", content = var.bus.ca == null ? "" : var.bus.ca }
    "/usr/local/sbin/vedette-install" = { mode = "0755", content = templatefile("${path.module}/install-machine.sh.tftpl", {
      region  = local.region
      install = templatefile("${path.module}/../agent/install-commit.sh.tftpl", { repository = var.repository, commit = machine.commit, role = machine.role })
    }) }
    "/usr/local/sbin/vedette-secrets" = { mode = "0755", content = templatefile("${path.module}/secrets.sh.tftpl", {
      region   = local.region
      key      = aws_secretsmanager_secret.key[name].name
      secrets  = { database = var.database_secret.name, operator = var.operator_secret.name }
      role     = machine.role
      database = machine.role == "gateway" ? "${aws_db_instance.core.endpoint}/${aws_db_instance.core.db_name}" : ""
    }) }
    # Before each start, so that a restart takes up a new key or password. It waits for as long as it takes until they are there.
    "/etc/systemd/system/vedette-secrets.service" = { mode = "0644", content = <<-EOT
      [Unit]
      Description=Secrets of Vedette's ${machine.role}, from the secret store
      Wants=network-online.target
      After=network-online.target

      [Service]
      Type=oneshot
      RuntimeDirectory=vedette
      RuntimeDirectoryMode=0700
      RuntimeDirectoryPreserve=yes
      ExecStart=/usr/local/sbin/vedette-secrets
      TimeoutStartSec=infinity
    EOT
    }
    "/etc/systemd/system/vedette-${machine.role}.service.d/machine.conf" = { mode = "0644", content = <<-EOT
      [Unit]
      Requires=vedette-secrets.service
      After=vedette-secrets.service

      [Service]
      LoadCredential=
      LoadCredential=bus.nkey:/run/vedette/bus.nkey
      EnvironmentFile=/run/vedette/secrets.env
      IPAddressDeny=169.254.169.254/32 fd00:ec2::254/128
    EOT
    }
    "/etc/apt/apt.conf.d/60vedette" = local.updates
  } }

  # Who may log in: nobody, or the operator.
  people  = [for key in var.operator_ssh_key[*] : { name = "operator", shell = "/bin/bash", sudo = "ALL=(ALL) NOPASSWD:ALL", ssh_authorized_keys = [key] }]
  ssh_off = var.operator_ssh_key != null ? [] : [["sh", "-c", "systemctl disable --now ssh.service ssh.socket || :"]]

  # Security updates by themselves. Kernels wait for a restart: gateways and servers of the bus are restarted by people, one after the other.
  updates = { mode = "0644", content = <<-EOT
    APT::Periodic::Update-Package-Lists "1";
    APT::Periodic::Unattended-Upgrade "1";
  EOT
  }

  machine_user_data = { for name, machine in local.machines : name => "#cloud-config\n${yamlencode({
    package_update = true
    packages       = ["awscli", "ca-certificates", "curl", "git", "nodejs", "npm", "unattended-upgrades"]
    users          = concat([{ name = "vedette-${machine.role}", system = true, no_create_home = true, homedir = "/", shell = "/usr/sbin/nologin" }], local.people)
    ssh_pwauth     = false
    write_files    = [for path, file in local.machine_files[name] : { path = path, encoding = "b64", content = base64encode(file.content), permissions = file.mode }]
    runcmd         = concat(local.ssh_off, [["sh", "-c", "until /usr/local/sbin/vedette-install; do sleep 60; done"]])
  })}" }
}

resource "aws_instance" "machine" {
  for_each = local.machines

  ami                         = data.aws_ami.debian.id
  instance_type               = each.value.instance_type
  subnet_id                   = local.subnets["machines"][each.value.zone].id
  vpc_security_group_ids      = [aws_security_group.core[each.value.role].id]
  associate_public_ip_address = true
  ipv6_address_count          = 1
  iam_instance_profile        = aws_iam_instance_profile.machine[each.key].name
  user_data                   = local.machine_user_data[each.key]
  user_data_replace_on_change = true # a machine's key is its own: the old one goes before the new one comes, while the others serve
  tags                        = merge(local.tags, { Name = "${var.name}-${each.key}", "vedette:role" = each.value.role })
  volume_tags                 = merge(local.tags, { Name = "${var.name}-${each.key}" })

  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
    http_endpoint               = "enabled"
    http_protocol_ipv6          = "disabled"
    instance_metadata_tags      = "disabled"
  }

  root_block_device {
    volume_type = "gp3"
    volume_size = 30
    encrypted   = true
    kms_key_id  = var.kms_key_arn
  }

  lifecycle {
    # A newer image is for the next machine: this one updates itself.
    ignore_changes = [ami]

    precondition {
      condition     = length(local.machine_user_data[each.key]) <= 16384
      error_message = "EC2 takes 16 KB of user data: settings or the CA of the bus are too long."
    }
  }
}
