terraform {
  required_version = ">= 1.7"
}

locals {
  environment = join("\n", concat(
    [
      "VEDETTE_LOCATION=${var.location}",
      "VEDETTE_NATS_URL=${var.nats_url}",
    ],
    [for name, value in var.settings : "${name}=${value}"],
  ))
  files = {
    "/etc/vedette/agent.env"            = { mode = "0600", content = "${local.environment}\n" }
    "/usr/local/sbin/vedette-install"   = { mode = "0755", content = templatefile("${path.module}/install.sh.tftpl", { repository = var.repository, commit = var.commit }) }
    "/usr/local/sbin/vedette-agent-key" = { mode = "0755", content = templatefile("${path.module}/key.sh.tftpl", { credentials_command = var.credentials_command }) }

    # Before each start of the agent, so that a restart takes up a new key.
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
      TimeoutStartSec=60
    EOT
    }
    "/etc/systemd/system/vedette-agent.service.d/key.conf" = { mode = "0644", content = <<-EOT
      [Unit]
      Requires=vedette-agent-key.service
      After=vedette-agent-key.service

      [Service]
      LoadCredential=
      LoadCredential=bus.nkey:/run/vedette/agent.nkey
    EOT
    }
  }
}

output "user_data" {
  description = "Cloud-init for a Debian 12 machine that becomes one agent. It holds no secret."
  value       = templatefile("${path.module}/cloud-init.yaml.tftpl", { files = local.files })
}
