variables {
  location            = "eu-fra"
  nats_url            = "tls://bus.example.org:4222"
  credentials_command = "secret-store get 'vedette agent'"
  artifact            = { url = "https://artifacts.example.org/vedette-agent.tar.gz", sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" }
  settings            = { VEDETTE_RESOLVERS = "192.0.2.53" }
}

run "runs_an_artifact" {
  command = plan

  assert {
    condition = jsonencode({ for file in yamldecode(output.user_data).write_files : file.path => file.permissions }) == jsonencode({
      "/etc/apt/apt.conf.d/60vedette"                            = "0644"
      "/etc/systemd/system/vedette-agent-key.service"            = "0644"
      "/etc/systemd/system/vedette-agent.service"                = "0644"
      "/etc/systemd/system/vedette-agent.service.d/machine.conf" = "0644"
      "/etc/vedette/agent.env"                                   = "0600"
      "/usr/local/sbin/vedette-agent-key"                        = "0755"
      "/usr/local/sbin/vedette-install"                          = "0755"
    })
    error_message = "every file is there, and none of them is the key"
  }
  assert {
    condition     = base64decode([for file in yamldecode(output.user_data).write_files : file.content if file.path == "/etc/vedette/agent.env"][0]) == "VEDETTE_LOCATION=eu-fra\nVEDETTE_NATS_URL=tls://bus.example.org:4222\nVEDETTE_RESOLVERS=192.0.2.53\n"
    error_message = "the settings are set"
  }
  assert {
    condition     = strcontains(local.files["/usr/local/sbin/vedette-agent-key"].content, "\nsecret-store get 'vedette agent'\n")
    error_message = "the key is fetched by the command"
  }
  assert {
    condition     = strcontains(local.files["/etc/systemd/system/vedette-agent.service.d/machine.conf"].content, "\nIPAddressDeny=169.254.169.254/32 fd00:ec2::254/128\n")
    error_message = "the kernel keeps the agent from the metadata service"
  }
  assert {
    condition     = length(output.user_data) < 12288
    error_message = "EC2 takes 16 KB of user data, and settings want some of it"
  }
}

run "runs_a_commit" {
  command = plan
  variables {
    artifact   = null
    repository = "https://git.example.org/vedette.git"
    commit     = "0123456789abcdef0123456789abcdef01234567"
    bus_ca     = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    keep_key   = true
  }

  assert {
    condition     = strcontains(local.install, "git checkout --detach '0123456789abcdef0123456789abcdef01234567'") && strcontains(local.install, "/vedette-agent.service /etc/systemd/system/")
    error_message = "the commit is checked out, and its unit is used"
  }
  assert {
    condition     = !contains(keys(local.files), "/etc/systemd/system/vedette-agent.service")
    error_message = "there is no other unit than the commit's"
  }
  assert {
    condition     = strcontains(local.files["/etc/systemd/system/vedette-agent.service.d/checkout.conf"].content, "\nExecStart=\nExecStart=/bin/sh /opt/vedette/scripts/run.sh packages/agent/src/main.ts\n")
    error_message = "the checkout runs, and not a bundle"
  }
  assert {
    condition     = strcontains(local.files["/etc/vedette/agent.env"].content, "\nVEDETTE_NATS_CA_FILE=/etc/vedette/bus-ca.pem\n") && local.files["/etc/vedette/bus-ca.pem"].content == var.bus_ca
    error_message = "the bus must have its certificate from its CA"
  }
  assert {
    condition     = strcontains(local.files["/etc/systemd/system/vedette-agent.service.d/machine.conf"].content, "\nLoadCredential=bus.nkey:/etc/vedette/agent.nkey\n")
    error_message = "a key that is kept is on the disk"
  }
}

run "refuses_what_is_wrong" {
  command = plan
  variables {
    location            = "eu fra"
    nats_url            = "nats://bus.example.org:4222"
    bus_ca              = "-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----"
    credentials_command = "echo SUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    repository          = "https://git.example.org/it's"
    commit              = "main"
    packages            = ["awscli; reboot"]
    node                = { url = "http://nodejs.org/node.tar.gz", integrity = "sha512-" }
    architecture        = "x86_64"
    settings            = { VEDETTE_NATS_CREDS = "/etc/passwd" }
    forbidden_addresses = ["metadata"]
  }
  expect_failures = [
    var.location, var.nats_url, var.bus_ca, var.credentials_command, var.repository, var.commit, var.packages, var.node, var.architecture,
    var.settings, var.forbidden_addresses,
  ]
}

run "refuses_lines_of_their_own_in_settings" {
  command = plan
  variables {
    artifact = { url = "https://artifacts.example.org/a'b", sha256 = "latest" }
    settings = { VEDETTE_CONTACT = "https://probes.example.org\nLD_PRELOAD=/tmp/x" }
  }
  expect_failures = [var.artifact, var.settings]
}

run "refuses_two_of_what_runs" {
  command = plan
  variables {
    repository = "https://git.example.org/vedette.git"
    commit     = "0123456789abcdef0123456789abcdef01234567"
  }
  expect_failures = [var.artifact]
}

run "refuses_nothing_to_run" {
  command = plan
  variables {
    artifact = null
  }
  expect_failures = [var.artifact]
}
