terraform {
  required_version = ">= 1.9"
}

locals {
  bundled = var.artifact != null
  # What the lock file of this checkout pins: the same Node as everywhere.
  node_package = "node-linux-${var.architecture}"
  node_pinned  = jsondecode(file("${path.module}/../../package-lock.json")).packages["node_modules/${local.node_package}"]
  node = coalesce(var.node, {
    url       = "https://registry.npmjs.org/${local.node_package}/-/${local.node_package}-${local.node_pinned.version}.tgz"
    integrity = local.node_pinned.integrity
  })

  key = var.keep_key ? "/etc/vedette/agent.nkey" : "/run/vedette/agent.nkey"
  ca  = "/etc/vedette/bus-ca.pem"
  environment = concat(
    [
      "VEDETTE_LOCATION=${var.location}",
      "VEDETTE_NATS_URL=${var.nats_url}",
    ],
    var.bus_ca == null ? [] : ["VEDETTE_NATS_CA_FILE=${local.ca}"],
    [for name, value in var.settings : "${name}=${value}"],
  )
  install = local.bundled ? templatefile("${path.module}/install-artifact.sh.tftpl", { artifact = var.artifact, node = local.node }) : templatefile("${path.module}/install-commit.sh.tftpl", {
    repository = var.repository
    commit     = var.commit
    role       = "agent"
  })

  files = merge(
    {
      "/etc/vedette/agent.env"            = { mode = "0600", content = "${join("\n", local.environment)}\n" }
      "/usr/local/sbin/vedette-install"   = { mode = "0755", content = local.install }
      "/usr/local/sbin/vedette-agent-key" = { mode = "0755", content = templatefile("${path.module}/key.sh.tftpl", { credentials_command = var.credentials_command, key = local.key }) }

      # Before each start of the agent, so that a restart takes up a new key. It waits for as long as it takes until there is one.
      "/etc/systemd/system/vedette-agent-key.service" = { mode = "0644", content = <<-EOT
        [Unit]
        Description=Key of the Vedette agent, from the secret store
        Wants=network-online.target
        After=network-online.target

        [Service]
        Type=oneshot
        RuntimeDirectory=vedette
        RuntimeDirectoryMode=0700
        RuntimeDirectoryPreserve=yes
        ExecStart=/usr/local/sbin/vedette-agent-key
        TimeoutStartSec=infinity
      EOT
      }
      "/etc/systemd/system/vedette-agent.service.d/machine.conf" = { mode = "0644", content = <<-EOT
        [Unit]
        Requires=vedette-agent-key.service
        After=vedette-agent-key.service

        [Service]
        LoadCredential=
        LoadCredential=bus.nkey:${local.key}
        ${length(var.forbidden_addresses) == 0 ? "" : "IPAddressDeny=${join(" ", var.forbidden_addresses)}"}
      EOT
      }
      # Security updates by themselves; a restart for a new kernel comes when they are in, within the hour by which Debian spreads them.
      "/etc/apt/apt.conf.d/60vedette" = { mode = "0644", content = <<-EOT
        APT::Periodic::Update-Package-Lists "1";
        APT::Periodic::Unattended-Upgrade "1";
        Unattended-Upgrade::Automatic-Reboot "true";
        Unattended-Upgrade::Automatic-Reboot-Time "now";
      EOT
      }
    },
    var.bus_ca == null ? {} : { (local.ca) = { mode = "0644", content = var.bus_ca } },
    local.bundled ? {
      "/etc/systemd/system/vedette-agent.service" = { mode = "0644", content = file("${path.module}/../../deploy/systemd/vedette-agent.service") }
      } : {
      "/etc/systemd/system/vedette-agent.service.d/checkout.conf" = { mode = "0644", content = file("${path.module}/../../deploy/systemd/vedette-agent.service.d/checkout.conf") }
    },
  )

  user_data = "#cloud-config\n${yamlencode({
    package_update = true
    # Node needs libatomic1; the set-up of a commit wants npm.
    packages = distinct(concat(["curl", "ca-certificates", "openssl", "unattended-upgrades"], local.bundled ? ["libatomic1"] : ["git", "nodejs", "npm"], var.packages))
    # Without the image's own user there is none who could log in.
    users = [{
      name           = "vedette-agent"
      system         = true
      no_create_home = true
      homedir        = "/"
      shell          = "/usr/sbin/nologin"
    }]
    ssh_pwauth = false
    write_files = [for path, file in local.files : {
      path        = path
      encoding    = "b64"
      content     = base64encode(file.content)
      permissions = file.mode
    }]
    runcmd = [
      # Nobody can reach it, and nothing waits there.
      ["sh", "-c", "systemctl disable --now ssh.service ssh.socket || :"],
      ["sh", "-c", "until /usr/local/sbin/vedette-install; do sleep 60; done"],
    ]
  })}"
}
