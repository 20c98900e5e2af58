# The password comes from the secret store (../aws-password) and goes to the database: neither plan nor state has it.

resource "aws_db_subnet_group" "core" {
  name_prefix = "${var.name}-"
  subnet_ids  = local.subnets["database"][*].id
  tags        = local.tags
}

resource "aws_db_parameter_group" "core" {
  name_prefix = "${var.name}-"
  family      = "postgres${var.database.major}"
  tags        = local.tags

  parameter {
    name  = "rds.force_ssl"
    value = "1"
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_db_instance" "core" {
  identifier     = var.name
  engine         = "postgres"
  engine_version = tostring(var.database.major)
  instance_class = var.database.instance_class

  db_name             = "vedette"
  username            = "vedette"
  password_wo         = var.database_password
  password_wo_version = var.database_password_version

  storage_type          = "gp3"
  allocated_storage     = var.database.storage_gb
  max_allocated_storage = var.database.max_storage_gb
  storage_encrypted     = true
  kms_key_id            = var.kms_key_arn

  # A standby in another zone takes over within a minute or two; meanwhile requests are a free 503.
  multi_az               = var.database.multi_az
  db_subnet_group_name   = aws_db_subnet_group.core.name
  vpc_security_group_ids = [aws_security_group.core["database"].id]
  parameter_group_name   = aws_db_parameter_group.core.name
  publicly_accessible    = false
  ca_cert_identifier     = "rds-ca-rsa2048-g1"

  backup_retention_period    = var.database.backup_days
  copy_tags_to_snapshot      = true
  delete_automated_backups   = false
  auto_minor_version_upgrade = true
  deletion_protection        = var.deletion_protection
  skip_final_snapshot        = !var.deletion_protection
  final_snapshot_identifier  = var.deletion_protection ? "${var.name}-last" : null
  tags                       = merge(local.tags, { Name = var.name })
}
